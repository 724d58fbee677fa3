"""What is made of the times."""
