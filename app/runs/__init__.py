"""The runs browser and the disagreements page: all attempts of people and models, and verifiers that disagree."""
