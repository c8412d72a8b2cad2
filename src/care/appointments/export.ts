import { z } from 'zod'
import { defineBookingExport, exportInput } from '../reservations/service.ts'
import type { Row } from './bookings.ts'
import { holding, typeNames } from './rules.ts'
import { appointments } from './table.ts'

const input = exportInput.extend({ providerId: z.uuid().optional() })

/** GET /api/appointments.csv or .xlsx: appointments in their order. */
export const appointmentsExport = defineBookingExport<Row, z.output<typeof input>>({
  name: 'appointments',
  kind: 'appointment',
  table: appointments,
  person: appointments.providerId,
  personIn: ({ providerId }) => providerId,
  input,
  holding,
  head: ['Type', 'Status', 'Patient', 'Provider', 'Room', 'Notes', 'Cancelled because'],
  cellsOf: (row, { patient, person, room }) => [typeNames[row.type], row.status, patient, person, room, row.notes, row.cancelReason],
})
