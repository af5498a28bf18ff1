"""The one path through the program: summarise, evaluate group by group, conclude."""
