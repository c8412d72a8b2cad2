import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { ConsentData } from './consent-data.ts'
import type { PaperOf } from './PaperDialog.tsx'

const ConsentDrawer = lazyDialog(
  () => import('./ConsentDrawer.tsx'),
  ({ onClose }) => onClose(),
)
const PaperDialog = lazyDialog(
  () => import('./PaperDialog.tsx'),
  ({ onClose }) => onClose(),
)
const WithdrawDialog = lazyDialog(
  () => import('./WithdrawDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** What staff do with consent forms in a list, and the dialogs for it. Keeps the lists current. */
export function useConsentActions() {
  const cache = useQueryClient()
  const may = usePermission()
  const [opened, setOpened] = useState<ConsentData | null>(null)
  const [withdrawn, setWithdrawn] = useState<ConsentData | null>(null)
  const [paper, setPaper] = useState<PaperOf | null>(null)
  const [cancelled, setCancelled] = useState<ConsentData | null>(null)
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: orpc.consentForms.ofContact.key() })
    void cache.invalidateQueries({ queryKey: orpc.consentForms.ofSurgery.key() })
    void cache.invalidateQueries({ queryKey: orpc.consentForms.get.key() })
    void cache.invalidateQueries({ queryKey: orpc.surgeries.key() })
  }
  useLive(['consent-form', 'consent-template'], refresh, { debounceMs: 300 })
  return {
    refresh,
    open: may('consentForms.get') ? setOpened : undefined,
    prepareDrawer: ConsentDrawer.prepare,
    withdraw: may('consentForms.withdraw') ? setWithdrawn : undefined,
    resend: may('consentForms.resend') ? resend : undefined,
    cancel: may('consentForms.cancel') ? setCancelled : undefined,
    recordPaper: may('consentForms.recordPaper') ? setPaper : undefined,
    dialogs: (
      <>
        {opened && (
          <ConsentDrawer
            consent={opened}
            onChange={refresh}
            onWithdraw={may('consentForms.withdraw') ? setWithdrawn : undefined}
            onClose={() => setOpened(null)}
          />
        )}
        {withdrawn && <WithdrawDialog consent={withdrawn} onDone={refresh} onClose={() => setWithdrawn(null)} />}
        {paper && <PaperDialog of={paper} onDone={refresh} onClose={() => setPaper(null)} />}
        {cancelled && <CancelDialog consent={cancelled} onDone={refresh} onClose={() => setCancelled(null)} />}
      </>
    ),
  }
}
export type ConsentActions = ReturnType<typeof useConsentActions>

async function resend({ id, sentTo }: ConsentData) {
  try {
    await client.consentForms.resend({ id })
    toast.success(`Consent form sent to ${sentTo}`)
  } catch (error) {
    toast.error('The consent form was not sent', messageOf(error))
  }
}

function CancelDialog({ consent, onDone, onClose }: { consent: ConsentData; onDone: () => void; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false)
  async function cancel() {
    setBusy(true)
    try {
      await client.consentForms.cancel({ id: consent.id })
      toast.success('Consent form cancelled')
      onDone()
    } catch (error) {
      toast.error('The consent form was not cancelled', messageOf(error))
    }
    onClose()
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Cancel the consent form “${consent.title.en}”?`}
      action={{ label: 'Cancel consent form', busyLabel: 'Cancelling…', isDanger: true }}
      cancelLabel="Keep"
      isBusy={isBusy}
      onConfirm={() => void cancel()}
    >
      The patient can no longer open it.
    </ConfirmDialog>
  )
}
