import { useEffect, useRef, useState } from 'react'
import { toast } from '../../ui/overlays/toast.ts'
import { isSessionOver, type PatientSession, Refusal, uploadFile } from './calls.ts'

/** Spec 9, in milliseconds after the last file. */
const [completionAfter, resetAfter] = [2000, 3000]

interface Progress {
  uploading: boolean
  /** Files that are through, well or not. */
  completed: number
  total: number
  /** The names of those that have arrived, once all are through. */
  arrived: string[]
}

const idle: Progress = { uploading: false, completed: 0, total: 0, arrived: [] }

interface UploadOf {
  session: PatientSession
  heard: <Result>(call: () => Promise<Result>) => Promise<Result>
  onUploaded: () => void
}

/** Spec 4: one file at a time, in order; one that fails does not stop the rest. */
export function useUpload({ session, heard, onUploaded }: UploadOf) {
  const [progress, setProgress] = useState(idle)
  const sending = useRef<AbortController | null>(null)
  const reset = useRef(0)
  const completion = useRef(0)

  useEffect(
    () => () => {
      sending.current?.abort()
      clearTimeout(reset.current)
      clearTimeout(completion.current)
    },
    [],
  )

  // Anyone who leaves now is asked: what is on its way would be lost.
  useEffect(() => {
    if (!progress.uploading) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [progress.uploading])

  async function upload(files: readonly File[]) {
    if (files.length === 0 || sending.current) return
    const abort = new AbortController()
    sending.current = abort
    clearTimeout(reset.current)
    setProgress({ ...idle, uploading: true, total: files.length })
    const arrived: string[] = []
    try {
      for (const [index, file] of files.entries()) {
        try {
          await heard(() => uploadFile(session, file, abort.signal))
          arrived.push(file.name)
        } catch (error) {
          // The page is left, or goes back to its first stage: nothing more can be sent.
          if (abort.signal.aborted || isSessionOver(error)) return
          toast.error(`Failed to upload ${file.name}: ${error instanceof Refusal ? error.message : 'Unknown error'}`)
        }
        setProgress((before) => ({ ...before, completed: index + 1 }))
      }
      if (arrived.length > 0) {
        toast.success(`Successfully uploaded ${arrived.length} document(s)`)
        completion.current = window.setTimeout(onUploaded, completionAfter)
      }
    } catch {
      toast.error('Upload process failed')
    } finally {
      sending.current = null
      setProgress((before) => ({ ...before, uploading: false, arrived }))
      reset.current = window.setTimeout(() => setProgress(idle), resetAfter)
    }
  }

  return { ...progress, upload }
}
