export { useMay } from '../useMay.ts'
