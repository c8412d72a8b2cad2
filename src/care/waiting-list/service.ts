export { addWishWithin } from './wishes.ts'
