"""What tests are made of: repositories, states, reports and processes, a module a subject."""
