export {
  addPlace,
  changeDevice,
  changePlace,
  countWarnings,
  createDevice,
  getDevice,
  listDevices,
  listPlaces,
  stockDays,
} from './catalogue.ts'
export {
  addMovements,
  hasPieces,
  listMovements,
  lockLot,
  move,
  receive,
  returnToSupplier,
  waste,
  wrongPieces,
  wrongPlace,
} from './stock.ts'
