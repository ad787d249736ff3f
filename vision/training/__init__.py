"""Training of the networks, with torch (the extra [train]). Nothing at reading time imports this."""
