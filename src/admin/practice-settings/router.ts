import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { practiceContract } from './contract.ts'
import * as locations from './locations.ts'
import * as service from './service.ts'
import { changeSettings, getSettings, setLogo } from './settings.ts'

const os = implement(practiceContract).$context<Context>()

export const practiceRouter = os.router({
  rooms: os.rooms.handler(({ context }) => service.listRooms(context.db)),
  addRoom: os.addRoom.handler(async ({ input, context, errors }) => {
    const room = await service.addRoom(context, input)
    if (room === 'taken') throw errors.NAME_TAKEN()
    if ('invalid' in room) throw errors.INVALID_REFERENCE({ data: { fields: room.invalid } })
    return room
  }),
  changeRoom: os.changeRoom.handler(async ({ input, context, errors }) => {
    const room = await service.changeRoom(context, input)
    if (room === 'taken') throw errors.NAME_TAKEN()
    if (!room) throw errors.NOT_FOUND()
    if ('invalid' in room) throw errors.INVALID_REFERENCE({ data: { fields: room.invalid } })
    return room
  }),
  locations: os.locations.handler(({ context }) => locations.listLocations(context.db)),
  addLocation: os.addLocation.handler(async ({ input, context, errors }) => {
    const location = await locations.addLocation(context, input)
    if (location === 'taken') throw errors.NAME_TAKEN()
    return location
  }),
  changeLocation: os.changeLocation.handler(async ({ input, context, errors }) => {
    const location = await locations.changeLocation(context, input)
    if (location === 'taken') throw errors.NAME_TAKEN()
    if (location === 'in-use') throw errors.IN_USE()
    if (location === 'last') throw errors.LAST()
    if (!location) throw errors.NOT_FOUND()
    return location
  }),
  settings: os.settings.handler(({ context }) => getSettings(context)),
  changeSettings: os.changeSettings.handler(({ input, context }) => changeSettings(context, input)),
  removeLogo: os.removeLogo.handler(({ context }) => setLogo(context, null)),
  hours: os.hours.handler(({ context }) => service.listHours(context.db)),
  setHours: os.setHours.handler(({ input, context }) => service.setHours(context, input.days)),
})
