"""Everything that is printed, woven or grown on surfaces: drawn by code, from names and a random generator."""
