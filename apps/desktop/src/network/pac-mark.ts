/** Identifies our PAC files in any kind of address. */
export const PAC_MARK = 'content-security-agent';
