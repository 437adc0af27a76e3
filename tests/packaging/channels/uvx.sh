# the program by uvx, with nothing installed before
python3 -m venv venv
venv/bin/pip install uv
venv/bin/uvx --no-index --find-links /release --find-links /index libmcp call echo text=Hello -- "$SERVER"
