"""The whole workbench in a browser, for one trusted person on their own machine or account.

cookie            lets nobody in without the cookie
exchange_folder   the folder of files that come from the browser's machine, or go there
files_pages       the page of files: uploads, downloads, deleting
gate              the link, the cookie, and the pages and sockets that a browser reaches
pages             what the pages say, as HTML
ready             what a window says to its server
server            runs the gate
window_host       the ordinary window on a screen of its own
"""
