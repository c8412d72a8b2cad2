import type { AppointmentStatus, AppointmentType } from '../../rules.ts'

export const typeLabels: Record<AppointmentType, string> = {
  consult: 'Consult',
  pre_op: 'Pre-op',
  post_op: 'Post-op',
  follow_up: 'Follow-up',
  treatment: 'Treatment',
  other: 'Other',
}

export const statusLabels: Record<AppointmentStatus, string> = {
  booked: 'Booked',
  confirmed: 'Confirmed',
  arrived: 'Arrived',
  completed: 'Completed',
  no_show: 'No-show',
  cancelled: 'Cancelled',
}
