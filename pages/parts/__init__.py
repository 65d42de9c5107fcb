"""What the pages are made of; nothing here knows which page is asking."""
