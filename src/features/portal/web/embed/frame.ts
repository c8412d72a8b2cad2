/** What the other pages for patients look like. */
export { Card, ErrorLine, PortalButton } from '../parts.tsx'
export { PortalFrame } from '../PortalFrame.tsx'
