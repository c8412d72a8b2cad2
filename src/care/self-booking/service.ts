export { queuePaidBooking } from './deposit.ts'
export { type BookingPayment, bookingPaymentState, refundDeposit, startBookingPayment, takesCards } from './payments.ts'
