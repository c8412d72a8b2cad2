import type { LineKind } from '../../src/billing/quotes/rules.ts'
import type { Concern, Procedure } from '../procedures.ts'

/** Hours in the operating room. Concerns not listed are treated in a treatment room. */
const hours: Partial<Record<Concern, number>> = {
  nose: 3,
  'second nose': 4,
  face: 5,
  chin: 1,
  lids: 1,
  crease: 1,
  ears: 2,
  augmentation: 2,
  reduction: 3,
  'breast lift': 3,
  exchange: 2,
  tummy: 4,
  fat: 2,
  'loose skin': 3,
  labia: 1,
  chest: 2,
}

/** Procedures that are shorter than others of their concern. */
const hoursByName: Record<string, number> = { 'Neck lift': 3, 'Fat transfer, face': 2 }

/** In dollars. */
const [roomPerHour, anaesthesiaPerHour] = [620, 380]
const implants: Partial<Record<Concern, [description: string, dollars: number]>> = {
  augmentation: ['Silicone implants, pair', 2_100],
  exchange: ['Silicone implants, pair', 2_100],
  chin: ['Chin implant', 780],
}
const garments: Partial<Record<Concern, [description: string, dollars: number]>> = {
  augmentation: ['Surgical bra', 85],
  reduction: ['Surgical bra', 85],
  'breast lift': ['Surgical bra', 85],
  exchange: ['Surgical bra', 85],
  tummy: ['Compression garment', 140],
  fat: ['Compression garment', 140],
  'loose skin': ['Compression garment', 140],
  chest: ['Compression vest', 120],
  face: ['Compression head wrap', 65],
}

type Price = { procedure: string; position: number; kind: LineKind; description: string; quantity: number; cents: number }

/** The price list of a procedure; it totals the procedure's lowest price. */
export function priceList({ name, concern, from }: Procedure): Price[] {
  const inRoom = hoursByName[name] ?? hours[concern]
  const ofImplants = name === 'Mastopexy, implants' ? implants.augmentation : implants[concern]
  const others: [LineKind, string, number, number][] = [
    ...(ofImplants ? [['implants', ofImplants[0], 1, ofImplants[1]] as [LineKind, string, number, number]] : []),
    ...(inRoom
      ? ([
          ['facility', 'Operating room and recovery, per hour', inRoom, roomPerHour],
          ['anaesthesia', 'Anaesthesia, per hour', inRoom, anaesthesiaPerHour],
        ] as [LineKind, string, number, number][])
      : []),
    ...(garments[concern] ? [['extras', garments[concern][0], 2, garments[concern][1]] as [LineKind, string, number, number]] : []),
  ]
  const rest = from - others.reduce((sum, [, , quantity, dollars]) => sum + quantity * dollars, 0)
  const all: [LineKind, string, number, number][] = [['surgeon', inRoom ? `${name}, surgeon’s fee` : name, 1, rest], ...others]
  return all.map(([kind, description, quantity, dollars], position) => ({
    procedure: name,
    position,
    kind,
    description,
    quantity,
    cents: dollars * 100,
  }))
}
