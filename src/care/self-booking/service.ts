export { queuePaidBooking } from './deposit.ts'
export { type BookingPayment, bookingPaymentState, refundDeposit, startBookingPayment } from './payments.ts'
