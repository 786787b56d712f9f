"""Transductive regression: to come."""
