/** Encoded frames in a file: MP4 or WebM. */
import {ArrayBufferTarget as Mp4Target, Muxer as Mp4Muxer} from 'mp4-muxer';
import {ArrayBufferTarget as WebmTarget, Muxer as WebmMuxer} from 'webm-muxer';

export type Container = 'mp4'|'webm';

export interface Picture {
  width: number;
  height: number;
  fps: number;
}

/** How frames are encoded: the name that the browser knows, that of people, and that of each container. */
export interface Codec {
  config: string;
  name: 'H.264'|'VP9'|'VP8';
}

/** H.264 of level 4 plays everywhere, but ends at 1920 × 1080 with 30 frames a second; level 5.1 is for larger ones. */
function h264({width, height, fps}: Picture): Codec[] {
  const level = width * height <= 1920 * 1088 && fps <= 30 ? '28' : '33';
  return ['6400', '4d00', '4200'].map((profile) => ({config: `avc1.${profile}${level}`, name: 'H.264'}));
}

const kVp9: Codec = {
  config: 'vp09.00.51.08',
  name: 'VP9'
};
const kVp8: Codec = {
  config: 'vp8',
  name: 'VP8'
};

export function encoderConfig({config}: Codec, {width, height, fps}: Picture): VideoEncoderConfig {
  const bitsPerPixel = 0.15;
  const bitrate = Math.round(bitsPerPixel * width * height * fps);
  return {codec: config, width, height, bitrate, framerate: fps, latencyMode: 'quality'};
}

/** The best codec of this browser for a container; null where it has none. */
export async function chooseCodec(container: Container, picture: Picture): Promise<Codec|null> {
  if (typeof VideoEncoder === 'undefined') return null;
  for (const codec of container === 'mp4' ? [...h264(picture), kVp9] : [kVp9, kVp8]) {
    const answer = await VideoEncoder.isConfigSupported(encoderConfig(codec, picture)).catch(() => null);
    if (answer?.supported) return codec;
  }
  return null;
}

/** A file that is being written. */
export interface Muxer {
  addVideoChunk(chunk: EncodedVideoChunk, meta?: EncodedVideoChunkMetadata): void;
  /** The whole file. */
  finish(): ArrayBuffer;
}

export function muxerOf(container: Container, {name}: Codec, {width, height, fps}: Picture): Muxer {
  if (container === 'mp4') {
    const target = new Mp4Target(), codec = name === 'H.264' ? 'avc' : 'vp9';
    const muxer = new Mp4Muxer({target, video: {codec, width, height, frameRate: fps}, fastStart: 'in-memory'});
    return {
      addVideoChunk: (chunk, meta) => muxer.addVideoChunk(chunk, meta),
      finish: () => (muxer.finalize(), target.buffer)
    };
  }
  const target = new WebmTarget();
  const muxer = new WebmMuxer({target, video: {codec: `V_${name}`, width, height, frameRate: fps}});
  return {
    addVideoChunk: (chunk, meta) => muxer.addVideoChunk(chunk, meta),
    finish: () => (muxer.finalize(), target.buffer)
  };
}
