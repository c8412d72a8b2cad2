import { sessionLimit } from '../rules.ts'

/** What a patient can be given to do on a tablet in the practice. */
export const tabletItemKinds = ['form', 'consent form'] as const
export type TabletItemKind = (typeof tabletItemKinds)[number]
export interface TabletItem {
  kind: TabletItemKind
  id: string
}
export const maxTabletItems = 20

/** Digits of a pairing code. More than those of a code that is bound to an address: this one is looked up among all that wait. */
export const pairingCodeLength = 8
/** Milliseconds: how long a pairing code works. */
export const pairingLimit = 5 * 60_000
/** Milliseconds: a tablet's session ends after three minutes without a call, and in any case after one hour. */
export const tabletIdleLimit = 3 * 60_000
export const tabletWarnAhead = 30_000

export const tabletEndings = ['tablet', 'staff', 'replaced'] as const
export type TabletEnding = (typeof tabletEndings)[number]

/** `idle`: no one has touched the tablet for three minutes. */
export const tabletStates = ['waiting', 'expired', 'in_use', 'idle', 'ended'] as const
export type TabletState = (typeof tabletStates)[number]

export interface TabletTimes {
  codeExpiresAt: Date | string
  pairedAt: Date | string | null
  lastSeenAt: Date | string | null
  endedAt: Date | string | null
}

const time = (at: Date | string) => new Date(at).getTime()

export function tabletState(session: TabletTimes, now: number): TabletState {
  if (session.endedAt !== null) return 'ended'
  if (session.pairedAt === null || session.lastSeenAt === null) {
    return time(session.codeExpiresAt) <= now ? 'expired' : 'waiting'
  }
  const isIdle = time(session.lastSeenAt) + tabletIdleLimit <= now || time(session.pairedAt) + sessionLimit <= now
  return isIdle ? 'idle' : 'in_use'
}
