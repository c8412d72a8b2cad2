import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Switch } from '../../../../ui/controls/Switch.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'

/** The switch for emails about assigned tasks. Renders nothing while loading. */
export function EmailPreference() {
  const cache = useQueryClient()
  const options = orpc.notifications.preferences.queryOptions()
  const { data } = useQuery(options)
  const preference = data?.find(({ notificationType }) => notificationType === 'task_assigned')
  const set = useMutation(
    orpc.notifications.setPreference.mutationOptions({
      onSuccess: (next) => cache.setQueryData(options.queryKey, next),
      onError: (error) => toast.error('Couldn’t change this setting', messageOf(error)),
    }),
  )
  if (!preference) return null
  return (
    <Switch
      checked={set.isPending ? set.variables.enabled : preference.enabled}
      onCheckedChange={(enabled) => set.mutate({ notificationType: 'task_assigned', enabled })}
    >
      Email me when a task is assigned to me
    </Switch>
  )
}
