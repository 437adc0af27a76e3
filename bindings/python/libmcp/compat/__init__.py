"""Bridges to packages of others. Nothing here is imported by the rest."""
