"""What every server of this program needs of HTTP and sockets, whoever is served.

our_origin     answers our own pages only, at our own address
page_parts     the scripts and the style sheet that pages ask for
server         uvicorn, as this program uses it
sockets        sockets between a browser and the screen of a window
unix_sockets   connections to Unix sockets of this machine
"""
