import { z } from 'zod'
import { amountOfCents } from '../../shared/money.ts'
import { defineBookingExport, exportInput } from '../reservations/service.ts'
import type { Row } from './bookings.ts'
import { blockingStatuses } from './rules.ts'
import { surgeries } from './table.ts'

const input = exportInput.extend({ surgeonId: z.uuid().optional() })

/** GET /api/surgeries.csv or .xlsx: the surgeries in chronological order. */
export const surgeriesExport = defineBookingExport<Row, z.output<typeof input>>({
  name: 'surgeries',
  kind: 'surgery',
  table: surgeries,
  person: surgeries.surgeonId,
  personIn: ({ surgeonId }) => surgeonId,
  input,
  blockingStatuses,
  head: ['Procedures', 'Status', 'Patient', 'Surgeon', 'Room', 'Anaesthesia', 'Implants', 'Price', 'Notes'],
  cellsOf: ({ procedures, status, anaesthesia, implants, priceCents, notes }, { patient, person, room }) => [
    procedures.map(({ name }) => name).join('; '),
    status,
    patient,
    person,
    room,
    anaesthesia,
    implants,
    priceCents === null ? null : amountOfCents(priceCents).toFixed(2),
    notes,
  ],
})
