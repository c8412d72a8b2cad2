/** What a device is. The first ones are implants: they stay in the patient, on a side. */
export const implantKinds = ['breast_implant', 'tissue_expander', 'facial_implant', 'mesh', 'other_implant'] as const
export const deviceKinds = [...implantKinds, 'injectable', 'material'] as const
export type DeviceKind = (typeof deviceKinds)[number]

export const isImplant = (kind: DeviceKind): boolean => (implantKinds as readonly DeviceKind[]).includes(kind)

/** The side for which a device is made, or on which an implant is placed. */
export const sides = ['left', 'right'] as const
export type Side = (typeof sides)[number]

/**
 * What can happen to stock. `open`: taken from its place for a surgery. `use`: placed in the patient, or used on them. `correct`: recorded as
 * used by mistake. `return`: from a surgery back to its place, or from its place to the supplier.
 */
export const movementKinds = ['receive', 'move', 'open', 'use', 'correct', 'waste', 'return', 'explant'] as const
export type MovementKind = (typeof movementKinds)[number]

/** The most pieces of one movement. */
export const maxQuantity = 10_000
/** The most serial numbers that are received at once. */
export const maxSerials = 100

/** How many days before its expiry stock is listed as expiring. */
export const expiringDays = 90

/** The lists of devices that need attention. */
export const stockWarnings = ['low', 'expiring', 'expired'] as const

/** Days are 'yyyy-MM-dd'. Stock may be used on the day of its expiry. `soon`: the last day that counts as expiring. */
export function expiryState(expiresOn: string | null, { today, soon }: { today: string; soon: string }): 'none' | 'expiring' | 'expired' {
  if (expiresOn === null || expiresOn > soon) return 'none'
  return expiresOn < today ? 'expired' : 'expiring'
}

interface Named {
  maker: string
  model: string
  size: string | null
}

/** 'Mentor MemoryGel Xtra, 350 cc' */
export const deviceName = ({ maker, model, size }: Named): string => [`${maker} ${model}`, size].filter(Boolean).join(', ')
