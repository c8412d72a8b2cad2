import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import * as catalogue from './catalogue.ts'
import { devicesContract } from './contract.ts'
import * as stock from './stock.ts'

const os = implement(devicesContract).$context<Context>()

export const devicesRouter = os.router({
  list: os.list.handler(({ input, context }) => catalogue.listDevices(context, input)),
  warnings: os.warnings.handler(({ context }) => catalogue.countWarnings(context)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await catalogue.getDevice(context.db, context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await catalogue.createDevice(context, input), errors)),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await catalogue.changeDevice(context, input), errors)),
  movements: os.movements.handler(async ({ input, context, errors }) => unwrap(await stock.listMovements(context, input), errors)),
  receive: os.receive.handler(async ({ input, context, errors }) => unwrap(await stock.receive(context, input), errors)),
  move: os.move.handler(async ({ input, context, errors }) => unwrap(await stock.move(context, input), errors)),
  waste: os.waste.handler(async ({ input, context, errors }) => unwrap(await stock.waste(context, input), errors)),
  return: os.return.handler(async ({ input, context, errors }) => unwrap(await stock.returnToSupplier(context, input), errors)),
  places: os.places.handler(({ context }) => catalogue.listPlaces(context.db)),
  addPlace: os.addPlace.handler(async ({ input, context, errors }) => unwrap(await catalogue.addPlace(context, input), errors)),
  changePlace: os.changePlace.handler(async ({ input, context, errors }) => unwrap(await catalogue.changePlace(context, input), errors)),
})
