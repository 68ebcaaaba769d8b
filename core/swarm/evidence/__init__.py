"""Evidence that a user broke a run's rules, which anyone can verify without believing its bearer."""
