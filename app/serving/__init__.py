"""Windows in a browser: a server gives people a screen with a window each, shown by noVNC.

Most of it is for studies; the workbench has a package of its own, and uses what is said to be for every server.

addresses         where a server listens, under which address browsers reach it, and that nothing goes in the clear
confinement       keeps a screen and a window apart from everything else
consumption       what a session takes of the machine; one that takes too much is ended
deadlines         ends connections that do not come to an end by themselves
faults            what the server says of its own faults: their kind and place, never an address
forms             reads the forms that browsers send
forwarding        takes the word of a trusted proxy for where a request comes from, and of nobody else
gate              the pages, the cookies and the sockets that browsers reach
load              a trial of how many people a machine holds, by simulated people (a package)
limits            limits of what one side may ask: failures by address and by link, the size of what is sent
links             the link of each code, from one secret of the study
pages             what the pages say, and in which language (a package)
picture_line      what has been sent of the picture to a page, and how far behind it the page is
plain_files       files that are nothing but files
presence          what the page in a browser says of itself: that it is there, and whether somebody looks at it
recruiting        people whom a recruiter sends (a package)
rfb               what a browser may say to the picture's server
seats             who has a window on this server now, and who waits for one
served_study      a study that is served, and its folder
server            runs the gate, and merges results into the project as sessions end
session_host      the screen and the window of one participant
system_parts      the programs and files of the system that are needed, and what to install where they are missing
visits            the browsers that have come with a link
web               what every server needs of HTTP and sockets (a package)
window_news       what the page in a browser has to know of the window
workbench         the whole workbench, for one trusted person (a package)
x_screen          a screen without a monitor: Xvnc on a Unix socket
"""
