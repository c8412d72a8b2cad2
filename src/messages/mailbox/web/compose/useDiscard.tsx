import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type DraftFile, type DraftKeeper, wordsOf } from './draft-store.ts'
import { beginDraft, discardKept, keeperOf } from './draft-stores.ts'

const DiscardDialog = lazyDialog(
  () => import('./DiscardDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface Discard {
  /** Discards at once with an undo; asks first when files would be lost. */
  ask: () => void
  /** The parts that the server no longer has. */
  now: () => void
  /** Restores the text under a new id. */
  keepAsNew: () => string
  removeFile: (file: DraftFile) => Promise<void>
  dialog: ReactNode
}

/** Discards a draft, or removes parts of it. */
export function useDiscard(keeper: DraftKeeper, onDone: () => void): Discard {
  const cache = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { id } = keeper.view()

  async function remove(): Promise<boolean> {
    // A save in progress would otherwise arrive after the deletion.
    if (keeper.view().version > 0 || keeper.view().save === 'saving') {
      try {
        await keeper.whenIdle()
        await client.mailbox.deleteDraft({ id })
      } catch (error) {
        if (codeOf(error) !== 'NOT_FOUND') {
          toast.error('Couldn’t discard the draft', messageOf(error))
          return false
        }
      }
    }
    discardKept(id)
    cache.setQueryData(orpc.mailbox.drafts.queryKey(), (before) => before?.filter((draft) => draft.id !== id))
    return true
  }
  async function throwAway() {
    const words = wordsOf(keeper.view().words)
    const { isTouched, version } = keeper.view()
    if (!(await remove())) return
    onDone()
    if (!isTouched && version === 0) return
    toast.undoable('Draft discarded', () => {
      const again = keeperOf(beginDraft(words))
      again?.change({})
      void again?.save().then(() => cache.invalidateQueries({ queryKey: orpc.mailbox.drafts.key() }))
    })
  }

  return {
    ask: () => (keeper.view().files.length > 0 ? setAsking(true) : void throwAway()),
    now: () => discardKept(id),
    keepAsNew() {
      const other = beginDraft(wordsOf(keeper.view().words))
      discardKept(id)
      keeperOf(other)?.change({})
      return other
    },
    async removeFile(file) {
      try {
        keeper.setFiles((await client.mailbox.removeFile({ id, fileId: file.id })).files)
      } catch (error) {
        toast.error(`${file.name} was not removed`, messageOf(error))
      }
    },
    dialog: isAsking && (
      <DiscardDialog
        files={keeper.view().files.length}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          if (!(await remove())) return
          setAsking(false)
          onDone()
        }}
      />
    ),
  }
}
