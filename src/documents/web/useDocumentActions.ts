import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Client, client, messageOf, orpc } from '../../ui/client/api.ts'
import { toast } from '../../ui/overlays/toast.ts'
import { changedFields, clashesOf } from './conflicts.ts'
import type { DocumentData, DocumentFields } from './document-data.ts'

type Errors = InferClientErrors<Client>['documents']

/** The current document, if a change was refused because someone else changed it first. */
function conflictOf(thrown: unknown): DocumentData | null {
  const error = thrown as Errors['update']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data.current : null
}

/** The outcome of a change: saved, in conflict with someone else's (nothing was overwritten), or failed with a toast (null). */
export type Outcome = { saved: DocumentData } | { theirs: DocumentData } | null

interface Messages {
  /** Success toast, with Undo if `undo` is set; omitted where the page itself shows the change. */
  done?: string
  failed: string
  undo?: DocumentFields
}

/** The actions on a document. Each is based on the version the user saw, so that no one else's change is overwritten unnoticed. */
export function useDocumentActions() {
  const cache = useQueryClient()
  return useMemo(() => {
    const listKey = ({ contactId }: DocumentData) => orpc.documents.list.queryKey({ input: { contactId } })
    const updateCache = (document: DocumentData) =>
      cache.setQueryData(listKey(document), (cached) => cached?.map((item) => (item.id === document.id ? document : item)))
    const refresh = () => {
      void cache.invalidateQueries({ queryKey: orpc.documents.key() })
      void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
    }

    async function send(base: DocumentData, fields: DocumentFields): Promise<Outcome> {
      try {
        return { saved: await client.documents.update({ id: base.id, version: base.version, ...fields }) }
      } catch (error) {
        const theirs = conflictOf(error)
        if (!theirs) throw error
        return clashesOf(base, theirs, fields).length > 0 ? { theirs } : send(theirs, fields)
      }
    }

    async function change(base: DocumentData, wanted: DocumentFields, { done, failed, undo }: Messages): Promise<Outcome> {
      const fields = changedFields(base, wanted)
      if (Object.keys(fields).length === 0) return { saved: base }
      updateCache({ ...base, ...fields })
      try {
        const outcome = await send(base, fields)
        if (outcome && 'saved' in outcome) {
          updateCache(outcome.saved)
          const after = outcome.saved
          if (done && undo) toast.undoable(done, () => void undoChange(after, undo))
          else if (done) toast.success(done)
        } else if (outcome) updateCache(outcome.theirs)
        return outcome
      } catch (error) {
        updateCache(base)
        toast.error(failed, messageOf(error), () => void change(base, wanted, { done, failed, undo }))
        return null
      } finally {
        refresh()
      }
    }

    /** Undoes this change, but not what someone else has changed on top of it. */
    async function undoChange(after: DocumentData, undo: DocumentFields) {
      const outcome = await change(after, undo, { done: 'Change undone', failed: 'The change was not undone' })
      if (outcome && 'theirs' in outcome) toast.error('The change was not undone', 'Someone else has changed the document.')
    }

    /** Documents with a decision being sent, so that a second click is ignored. */
    const deciding = new Set<string>()
    async function review(base: DocumentData, decision: 'accepted' | 'rejected', reason: string | null): Promise<Outcome> {
      if (deciding.has(base.id)) return null
      deciding.add(base.id)
      return decide(base, decision, reason).finally(() => deciding.delete(base.id))
    }

    async function decide(base: DocumentData, decision: 'accepted' | 'rejected', reason: string | null): Promise<Outcome> {
      const { id, version, name, reviewState } = base
      const failed = decision === 'accepted' ? `${name} was not accepted` : `${name} was not rejected`
      try {
        const saved = await client.documents.review({ id, version, decision, reason })
        updateCache(saved)
        toast.success(decision === 'accepted' ? `${name} accepted` : `${name} rejected. The patient has been notified.`)
        return { saved }
      } catch (error) {
        const theirs = conflictOf(error)
        if (theirs && theirs.reviewState === reviewState) return decide(theirs, decision, reason)
        if (!theirs) {
          toast.error(failed, messageOf(error))
          return null
        }
        updateCache(theirs)
        // A conflict with a rejection is shown in its dialog, which keeps the reason.
        if (decision === 'accepted' && theirs.reviewState === 'rejected') toast.error(failed, 'Someone else has rejected it.')
        return { theirs }
      } finally {
        refresh()
      }
    }

    async function remove(document: DocumentData): Promise<boolean> {
      const { id, name } = document
      cache.setQueryData(listKey(document), (cached) => cached?.filter((item) => item.id !== id))
      try {
        await client.documents.delete({ id })
        toast.undoable(`${name} deleted`, () => void restore(document))
        return true
      } catch (error) {
        toast.error(`${name} was not deleted`, messageOf(error))
        return false
      } finally {
        refresh()
      }
    }

    async function restore({ id, name }: DocumentData): Promise<void> {
      try {
        await client.documents.restore({ id })
        toast.success(`${name} restored`)
      } catch (error) {
        toast.error(`${name} was not restored`, messageOf(error))
      } finally {
        refresh()
      }
    }

    return { change, review, remove }
  }, [cache])
}

export type DocumentActions = ReturnType<typeof useDocumentActions>
