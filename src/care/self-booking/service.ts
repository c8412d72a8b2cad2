export { queuePaidBooking } from './deposit.ts'
export { type BookingPayment, bookingPaymentState, refundDeposit, type ReturnedDeposit, startBookingPayment } from './payments.ts'
