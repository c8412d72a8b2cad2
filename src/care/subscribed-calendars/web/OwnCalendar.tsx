import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { toast } from '../../../ui/overlays/toast.ts'

/** Lets the calendar of one's own mailbox block one's openings. Hidden without a mailbox whose calendar can be read. */
export function OwnCalendar() {
  const cache = useQueryClient()
  const { data: own } = useQuery(orpc.subscribedCalendars.own.queryOptions())
  if (!own || own.email === null) return null
  async function set(isOn: boolean) {
    try {
      await client.subscribedCalendars.setOwn({ isOn })
    } catch (error) {
      toast.error(messageOf(error))
    }
    await cache.invalidateQueries({ queryKey: orpc.subscribedCalendars.key() })
  }
  return (
    <Switch checked={own.isOn} onCheckedChange={(isOn) => void set(isOn)} hint={`${own.email}. Only busy times are read.`} className="pt-4">
      The calendar of your mailbox blocks your openings
    </Switch>
  )
}
