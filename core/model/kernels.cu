// Passes over memory of a micro-step, each of which would take PyTorch several kernels.
//
// CUDA's run-time compiler compiles this file (core/model/kernels.py), and so does a C++ compiler in the tests: it uses
// no header and no thread waits for another. VALUE is the type of the branches' values: 0 for float32, 1 for bfloat16,
// 2 for float16. A thread handles eight neighbouring channels, which are one or two 16-byte loads. Sums are float32.

#if VALUE == 0
typedef float value_t;
__device__ inline float wide(value_t x) { return x; }
__device__ inline value_t narrow(float x) { return x; }
#elif VALUE == 1
typedef unsigned short value_t;
__device__ inline float wide(value_t x) { return __uint_as_float((unsigned)x << 16); }
// Rounds to the nearest, and to the even one of two, as PyTorch does.
__device__ inline value_t narrow(float x) {
    unsigned bits = __float_as_uint(x);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fc0;
    return (value_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
#else
typedef unsigned short value_t;
#ifdef __CUDACC_RTC__
__device__ inline float wide(value_t x) {
    float out;
    asm("cvt.f32.f16 %0, %1;" : "=f"(out) : "h"(x));
    return out;
}
__device__ inline value_t narrow(float x) {
    value_t out;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out) : "f"(x));
    return out;
}
#else
__device__ inline float wide(value_t x) { return (float)__builtin_bit_cast(_Float16, x); }
__device__ inline value_t narrow(float x) { return __builtin_bit_cast(value_t, (_Float16)x); }
#endif
#endif

const int CHANNELS = 8;

struct alignas(16) Values {
    value_t at[CHANNELS];
};
struct alignas(16) Floats {
    float at[CHANNELS];
};

__device__ inline size_t thread_index() { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline Values load(const value_t *from) { return *(const Values *)from; }

__device__ inline float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }

__device__ inline float gelu_slope(float x) {
    return 0.5f * (1.0f + erff(x * 0.70710678f)) + x * 0.39894228f * expf(-0.5f * x * x);
}

// out (rows, inner) = the first half of the channels of hidden (rows, 2 * inner) times the GELU of the second.
extern "C" __global__ void geglu(const value_t *hidden, value_t *out, int rows, int inner) {
    unsigned packs = inner / CHANNELS;
    size_t index = thread_index(), row = index / packs, channel = index % packs * CHANNELS;
    if (row >= rows) return;
    const value_t *from = hidden + row * 2 * inner + channel;
    Values value = load(from), gate = load(from + inner), product;
    for (int i = 0; i < CHANNELS; i++) product.at[i] = narrow(wide(value.at[i]) * gelu(wide(gate.at[i])));
    *(Values *)(out + row * inner + channel) = product;
}

// Writes the gradient of hidden in its place; grad (rows, inner) is that of geglu's result.
extern "C" __global__ void geglu_backward(const value_t *grad, value_t *hidden, int rows, int inner) {
    unsigned packs = inner / CHANNELS;
    size_t index = thread_index(), row = index / packs, channel = index % packs * CHANNELS;
    if (row >= rows) return;
    value_t *place = hidden + row * 2 * inner + channel;
    Values of_product = load(grad + row * inner + channel), value = load(place), gate = load(place + inner);
    for (int i = 0; i < CHANNELS; i++) {
        float of = wide(of_product.at[i]), before = wide(gate.at[i]), factor = wide(value.at[i]);
        value.at[i] = narrow(of * gelu(before));
        gate.at[i] = narrow(of * factor * gelu_slope(before));
    }
    *(Values *)place = value;
    *(Values *)(place + inner) = gate;
}

// Order of the codes in the image's tensors: lines are the image's rows, or its columns if by_columns.
struct Shape {
    int batch, positions, heads, width, words, grid, by_columns;
};

// The eight channels of a thread: their head's place among queries, keys and values, and among the parts of Heads.
struct Piece {
    int position, role, channel;
    bool inside, of_text;
    size_t apart;
};

__device__ inline Piece piece_of(size_t index, const Shape &shape) {
    unsigned packs = shape.width / CHANNELS;
    Piece piece;
    piece.channel = index % packs * CHANNELS;
    size_t rest = index / packs;
    int head = rest % shape.heads;
    piece.role = rest / shape.heads % 3;
    rest = rest / shape.heads / 3;
    piece.position = rest % shape.positions;
    size_t sample = rest / shape.positions;
    piece.inside = sample < shape.batch;
    piece.of_text = piece.position < shape.words;
    size_t many = sample * shape.heads + head;
    int codes = shape.positions - shape.words, code = piece.position - shape.words, place = code;
    if (shape.by_columns && !piece.of_text) {
        int lines_length = codes / shape.grid;
        place = code % shape.grid * lines_length + code / shape.grid;
    }
    size_t row = piece.of_text ? many * shape.words + piece.position : many * codes + place;
    piece.apart = row * shape.width + piece.channel;
    return piece;
}

// Rotates pairs of channels by the table (positions, width / 2, 2) of cosines and sines, or back; queries are scaled.
__device__ inline Values rotated(Values from, const float *table, const Piece &piece, int width, float scale, float way) {
    const float *turn = table + ((size_t)piece.position * width + piece.channel);
    Values out;
    for (int i = 0; i < CHANNELS; i += 2) {
        float cosine = turn[i] * scale, sine = turn[i + 1] * scale * way;
        float first = wide(from.at[i]), second = wide(from.at[i + 1]);
        out.at[i] = narrow(first * cosine - second * sine);
        out.at[i + 1] = narrow(first * sine + second * cosine);
    }
    return out;
}

#define HEADS(kind)                                                                                             \
    kind *text_query, kind *text_key, kind *text_value, kind *image_query, kind *image_key, kind *image_value
#define SIZES int batch, int positions, int heads, int width, int words, int grid, int by_columns
#define SHAPE Shape{batch, positions, heads, width, words, grid, by_columns}

template <typename T> __device__ inline T *part(const Piece &piece, HEADS(T)) {
    if (piece.of_text) return piece.role == 0 ? text_query : piece.role == 1 ? text_key : text_value;
    return piece.role == 0 ? image_query : piece.role == 1 ? image_key : image_value;
}

// Takes qkv (batch, positions, 3 * heads * width) apart by head, and rotates it on the way.
extern "C" __global__ void split_heads(const value_t *qkv, const float *table, float scale, HEADS(value_t), SIZES) {
    size_t index = thread_index();
    Piece piece = piece_of(index, SHAPE);
    if (!piece.inside) return;
    value_t *out = part(piece, text_query, text_key, text_value, image_query, image_key, image_value);
    Values from = load(qkv + index * CHANNELS);
    *(Values *)(out + piece.apart) = rotated(from, table, piece, width, piece.role == 0 ? scale : 1.0f, 1.0f);
}

// Computes the gradient of qkv from those of its parts.
extern "C" __global__ void split_heads_backward(value_t *of_qkv, const float *table, float scale, HEADS(const value_t),
                                                SIZES) {
    size_t index = thread_index();
    Piece piece = piece_of(index, SHAPE);
    if (!piece.inside) return;
    const value_t *grad = part(piece, text_query, text_key, text_value, image_query, image_key, image_value);
    Values from = load(grad + piece.apart);
    *(Values *)(of_qkv + index * CHANNELS) =
        rotated(from, table, piece, width, piece.role == 0 ? scale : 1.0f, -1.0f);
}

// The position from which token shift takes a channel, or to which it has given it (way 1 or -1); -1 for none.
__device__ inline int source(int position, int channel, int positions, int dim, int words, int grid, int way) {
    if (channel >= dim / 2) return position;
    bool of_text = position < words;
    int code = position - words, codes = positions - words;
    if (of_text) {
        int from = position - way;
        return from < 0 || from >= words ? -1 : from;
    }
    if (channel < dim / 4) {
        int from = code - way * grid;
        return from < 0 || from >= codes ? -1 : position - way * grid;
    }
    int column = code % grid - way;
    return column < 0 || column >= grid ? -1 : position - way;
}

// Shifts the channels of x (batch, positions, dim) into out, in the type of the branches.
extern "C" __global__ void shift(const float *x, value_t *out, int batch, int positions, int dim, int words, int grid) {
    unsigned packs = dim / CHANNELS;
    size_t index = thread_index(), row = index / packs;
    int channel = index % packs * CHANNELS, position = row % positions;
    if (row >= (size_t)batch * positions) return;
    int from = source(position, channel, positions, dim, words, grid, 1);
    Floats values = {};
    if (from >= 0) values = *(const Floats *)(x + (row - position + from) * dim + channel);
    Values narrowed;
    for (int i = 0; i < CHANNELS; i++) narrowed.at[i] = narrow(values.at[i]);
    *(Values *)(out + index * CHANNELS) = narrowed;
}

// Computes the gradient of x, in float32, from grad, that of shift's result.
extern "C" __global__ void shift_backward(const value_t *grad, float *out, int batch, int positions, int dim, int words,
                                          int grid) {
    unsigned packs = dim / CHANNELS;
    size_t index = thread_index(), row = index / packs;
    int channel = index % packs * CHANNELS, position = row % positions;
    if (row >= (size_t)batch * positions) return;
    int from = source(position, channel, positions, dim, words, grid, -1);
    Floats widened = {};
    if (from >= 0) {
        Values values = load(grad + (row - position + from) * dim + channel);
        for (int i = 0; i < CHANNELS; i++) widened.at[i] = wide(values.at[i]);
    }
    *(Floats *)(out + index * CHANNELS) = widened;
}
