export { onPaid } from './follow.ts'
export { isPayable, payPath, portalLinkMs, unbookedCents } from './pay-links.ts'
export { refundToCard } from './refund.ts'
export { dueNow } from './rules.ts'
