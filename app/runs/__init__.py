"""The runs browser with all attempts of people and models, and the page of disagreeing verifiers."""
