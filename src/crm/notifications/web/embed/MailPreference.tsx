import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Switch } from '../../../../ui/controls/Switch.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'

/** Whether one is told of tasks by email; nothing until that is known. */
export function MailPreference() {
  const cache = useQueryClient()
  const options = orpc.notifications.preferences.queryOptions()
  const { data } = useQuery(options)
  const wants = data?.find(({ notificationType }) => notificationType === 'task_assigned')
  const set = useMutation(
    orpc.notifications.setPreference.mutationOptions({
      onSuccess: (next) => cache.setQueryData(options.queryKey, next),
      onError: (error) => toast.error('This was not changed', messageOf(error)),
    }),
  )
  if (!wants) return null
  return (
    <Switch
      checked={set.isPending ? set.variables.enabled : wants.enabled}
      onCheckedChange={(enabled) => set.mutate({ notificationType: 'task_assigned', enabled })}
    >
      Email me when a task is assigned to me
    </Switch>
  )
}
