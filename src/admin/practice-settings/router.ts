import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { practiceContract } from './contract.ts'
import * as locations from './locations.ts'
import * as service from './service.ts'
import { changeSettings, getSettings, setLogo } from './settings.ts'

const os = implement(practiceContract).$context<Context>()

export const practiceRouter = os.router({
  rooms: os.rooms.handler(({ context }) => service.listRooms(context.db)),
  addRoom: os.addRoom.handler(async ({ input, context, errors }) => unwrap(await service.addRoom(context, input), errors)),
  changeRoom: os.changeRoom.handler(async ({ input, context, errors }) => unwrap(await service.changeRoom(context, input), errors)),
  locations: os.locations.handler(({ context }) => locations.listLocations(context.db)),
  addLocation: os.addLocation.handler(async ({ input, context, errors }) => unwrap(await locations.addLocation(context, input), errors)),
  changeLocation: os.changeLocation.handler(async ({ input, context, errors }) =>
    unwrap(await locations.changeLocation(context, input), errors),
  ),
  settings: os.settings.handler(({ context }) => getSettings(context)),
  changeSettings: os.changeSettings.handler(({ input, context }) => changeSettings(context, input)),
  removeLogo: os.removeLogo.handler(({ context }) => setLogo(context, null)),
  hours: os.hours.handler(({ context }) => service.listHours(context.db)),
  setHours: os.setHours.handler(({ input, context }) => service.setHours(context, input.days)),
})
