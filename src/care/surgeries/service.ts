export { mirrored } from './mirror.ts'
export { priceCase } from './price.ts'
