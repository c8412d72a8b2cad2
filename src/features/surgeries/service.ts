export { mirrored } from './mirror.ts'
