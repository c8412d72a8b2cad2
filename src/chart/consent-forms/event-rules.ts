/** The steps of a consent form that its page of evidence lists. */
export const eventKinds = ['sent', 'opened', 'asked', 'signed', 'declined', 'countersigned', 'withdrawn', 'cancelled'] as const
export type EventKind = (typeof eventKinds)[number]
