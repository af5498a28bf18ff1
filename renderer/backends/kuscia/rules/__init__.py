"""Kuscia's checks; those of AppImages alone are apart, as most runs do not need them."""
