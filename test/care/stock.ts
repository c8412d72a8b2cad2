import { randomUUID } from 'node:crypto'
import type { Client } from '../server.ts'

type NewDevice = Parameters<Client['devices']['create']>[0]

/** The maker's own GTIN of a test device, with its check digit; each call gives another one. */
let made = 0
export function nextGtin(): string {
  const digits = `0031${String(++made).padStart(9, '0')}`
  const sum = [...digits].toReversed().reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** A sterile breast implant with serial numbers, unless stated otherwise. */
export const addDevice = (client: Client, given: Partial<NewDevice> = {}) =>
  client.devices.create({
    maker: 'Mentor',
    model: `MemoryGel ${randomUUID()}`,
    kind: 'breast_implant',
    udiDi: nextGtin(),
    hasSerials: true,
    isSterile: true,
    ...given,
  })

/** A filler that is counted by lot. */
export const addFiller = (client: Client, given: Partial<NewDevice> = {}) =>
  addDevice(client, { maker: 'Galderma', model: `Restylane ${randomUUID()}`, kind: 'injectable', hasSerials: false, ...given })

export const addPlace = (client: Client) => client.devices.addPlace({ name: `Cabinet ${randomUUID()}` })
