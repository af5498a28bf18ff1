"""What Ray itself says to runtime environments, serve configs, requests of jobs and parameters."""
