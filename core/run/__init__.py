"""A run: its signed manifest, the rules in it, the links to it, and the plan for one machine."""
