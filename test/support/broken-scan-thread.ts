/** A scan thread whose engine cannot start, as if its files were unreadable. */
throw new Error('The weights of the model are not readable.');
