import type { BadgeTone } from '../../../../ui/display/Badge.tsx'
import { formatDay } from '../../../../ui/format.ts'
import type { DeviceInList } from '../../contract.ts'
import type { DeviceKind, MovementKind, Side } from '../../rules.ts'
import type { Show } from '../stock-search.ts'

export const kindLabels: Record<DeviceKind, string> = {
  breast_implant: 'Breast implant',
  tissue_expander: 'Tissue expander',
  facial_implant: 'Facial implant',
  mesh: 'Mesh',
  other_implant: 'Other implant',
  injectable: 'Injectable',
  material: 'Material',
}

export const sideLabels: Record<Side, string> = { left: 'Left', right: 'Right' }

export const movementLabels: Record<MovementKind, string> = {
  receive: 'Received',
  move: 'Moved',
  open: 'Opened for a surgery',
  use: 'Used',
  correct: 'Use corrected',
  waste: 'Wasted',
  return: 'Returned',
  explant: 'Explanted',
}

export const showLabels: Record<Show, string> = {
  low: 'Low',
  expiring: 'Expiring',
  expired: 'Expired',
  retired: 'Retired',
  recalls: 'Recalls',
}

/** '12 pieces' */
export const formatPieces = (count: number): string => `${count.toLocaleString('en-CA')} ${count === 1 ? 'piece' : 'pieces'}`

/** The most urgent warning about a device's stock; null if there is none. */
export function warningOf({ expired, isLow, expiring }: DeviceInList): { label: string; tone: BadgeTone } | null {
  if (expired > 0) return { label: `${expired} expired`, tone: 'danger' }
  if (isLow) return { label: 'Low', tone: 'warning' }
  return expiring > 0 ? { label: `${expiring} expiring`, tone: 'warning' } : null
}

/** 'Expires Jan 31, 2029' */
export const formatExpiry = (day: string | null): string => (day === null ? 'No expiry' : `Expires ${formatDay(day)}`)
