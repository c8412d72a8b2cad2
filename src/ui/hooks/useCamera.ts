import { type RefObject, useEffect, useRef, useState } from 'react'

export type CameraState = 'starting' | 'on' | 'denied' | 'none'

/** As large as the camera gives. */
const wanted: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: 'environment', width: { ideal: 4096 }, height: { ideal: 3072 } },
}

interface ShownCamera {
  /** Of the element that shows it. */
  video: RefObject<HTMLVideoElement | null>
  state: CameraState
  retry: () => void
}

/** Shows the device's camera in a video element as long as it is mounted. */
export function useCamera(): ShownCamera {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>('starting')
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isOver = false
    let stream: MediaStream | null = null
    const stop = () => stream?.getTracks().forEach((track) => track.stop())
    async function start() {
      setState('starting')
      try {
        // Browsers have no camera for pages without https.
        if (!('mediaDevices' in navigator)) return setState('none')
        stream = await navigator.mediaDevices.getUserMedia(wanted)
        if (isOver || !video.current) return stop()
        for (const track of stream.getTracks()) track.addEventListener('ended', () => setState('none'))
        video.current.srcObject = stream
        await video.current.play()
        setState('on')
      } catch (error) {
        if (!isOver) setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'none')
      }
    }
    void start()
    return () => {
      isOver = true
      stop()
    }
  }, [attempt])
  return { video, state, retry: () => setAttempt((now) => now + 1) }
}

const quality = 0.95

/** What the camera shows now, as a JPEG without metadata; null while it shows nothing. */
export function grab(video: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video
  if (width === 0) return Promise.resolve(null)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}
