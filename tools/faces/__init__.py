"""What cards look like: tones, emblems, and the texts on their faces. Knows no output format."""
