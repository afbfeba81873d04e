"""What a checkout has and a wheel has not: the benchmark, and the makers of examples and screenshots."""
