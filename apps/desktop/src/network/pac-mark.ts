/** Our PAC files are known by this, in whatever address they are handed out by. */
export const PAC_MARK = 'content-security-agent';
