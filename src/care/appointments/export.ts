import { z } from 'zod'
import { defineBookingExport, exportInput } from '../reservations/service.ts'
import type { Row } from './bookings.ts'
import { blockingStatuses, typeNames } from './rules.ts'
import { appointments } from './table.ts'

const input = exportInput.extend({ providerId: z.uuid().optional() })

/** GET /api/appointments.csv or .xlsx: the appointments in chronological order. */
export const appointmentsExport = defineBookingExport<Row, z.output<typeof input>>({
  name: 'appointments',
  kind: 'appointment',
  table: appointments,
  person: appointments.providerId,
  personIn: ({ providerId }) => providerId,
  input,
  blockingStatuses,
  head: ['Type', 'Status', 'Patient', 'Provider', 'Room', 'Notes', 'Cancelled because'],
  cellsOf: (row, { patient, person, room }) => [typeNames[row.type], row.status, patient, person, room, row.notes, row.cancelReason],
})
