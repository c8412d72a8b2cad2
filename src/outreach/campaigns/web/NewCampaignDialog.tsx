import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, orpc } from '../../../ui/client/api.ts'
import type { ConsentChannel } from '../../../crm/consent/rules.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { problemsIn, useActionForm } from '../../../ui/forms/useActionForm.ts'
import { campaignFields } from '../contract.ts'
import type { CampaignData } from './campaign-data.ts'
import { channelLabels } from './labels.ts'

const channels = (['email', 'text'] as const).map((value) => ({ value, label: channelLabels[value] }))

/** Adds a draft by its name and channel, and opens it. */
export function NewCampaignDialog({ audience, onClose }: { audience: CampaignData['audience']; onClose: () => void }) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const form = useActionForm<{ name: string; channel: ConsentChannel }, CampaignData>({
    initial: { name: '', channel: 'email' },
    check: (values) => problemsIn(campaignFields, { ...values, audience }),
    send: (values) => client.campaigns.create({ ...values, audience }),
    onDone(campaign) {
      cache.setQueryData(orpc.campaigns.get.queryKey({ input: { id: campaign.id } }), campaign)
      void navigate({ to: '/campaigns/$id', params: { id: campaign.id } })
    },
  })
  return (
    <ActionDialog title="New campaign" form={form} action={{ label: 'Create draft', busyLabel: 'Creating…' }} onClose={onClose}>
      <SegmentedControl
        aria-label="Channel"
        value={form.values.channel}
        onValueChange={(channel) => form.set({ channel })}
        options={channels}
      />
      <Field label="Name" hint="Only staff see it" error={form.problems.name}>
        <Input {...form.text('name')} autoComplete="off" maxLength={100} />
      </Field>
    </ActionDialog>
  )
}
