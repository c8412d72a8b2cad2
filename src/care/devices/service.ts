export { stockDays } from './catalogue.ts'
export { addMovements, lockLot, wrongPieces, wrongPlace } from './stock.ts'
